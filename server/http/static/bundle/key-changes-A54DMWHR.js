import {
  dropFromSeats,
  letIn,
  renew,
  signOut
} from "./chunk-NXESHXOP.js";
import "./chunk-6Y5ZER2M.js";
import "./chunk-ZAK5IL4R.js";
import "./chunk-4VMNYA3N.js";
import "./chunk-3P3CGK6E.js";
export {
  dropFromSeats,
  letIn,
  renew,
  signOut
};
