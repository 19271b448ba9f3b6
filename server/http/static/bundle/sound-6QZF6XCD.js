import {
  isOn,
  play,
  set
} from "./chunk-AN2AJJKW.js";
export {
  isOn,
  play,
  set
};
