import {
  dropFromSeats,
  letIn,
  renew,
  signOut
} from "./chunk-EGIITRRI.js";
import "./chunk-Z3ZBIZBS.js";
import "./chunk-L4YKCHSQ.js";
import "./chunk-4VMNYA3N.js";
import "./chunk-3P3CGK6E.js";
import "./chunk-PZZ636EH.js";
export {
  dropFromSeats,
  letIn,
  renew,
  signOut
};
