import {
  renew,
  start,
  stop
} from "./chunk-RTGJCR3X.js";
import "./chunk-PZZ636EH.js";
export {
  renew,
  start,
  stop
};
