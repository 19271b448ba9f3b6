import {
  dropFromSeats,
  letIn,
  renew,
  signOut
} from "./chunk-7BLM3Y3Y.js";
import "./chunk-UXKWNKGX.js";
import "./chunk-FBWGSPSX.js";
import "./chunk-PZZ636EH.js";
import "./chunk-4VMNYA3N.js";
import "./chunk-3P3CGK6E.js";
export {
  dropFromSeats,
  letIn,
  renew,
  signOut
};
