import {
  dropFromSeats,
  letIn,
  renew,
  signOut
} from "./chunk-AVRC6U4M.js";
import "./chunk-TTNNRVHC.js";
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
