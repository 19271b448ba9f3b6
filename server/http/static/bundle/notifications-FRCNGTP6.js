import {
  renew,
  start,
  stop
} from "./chunk-4IU3AWJ4.js";
import "./chunk-KHBG72CQ.js";
export {
  renew,
  start,
  stop
};
