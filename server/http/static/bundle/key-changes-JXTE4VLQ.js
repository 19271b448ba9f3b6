import {
  dropFromSeats,
  letIn,
  renew,
  signOut
} from "./chunk-GVE2UKCO.js";
import "./chunk-VWTJCAQA.js";
import "./chunk-ZAK5IL4R.js";
import "./chunk-4VMNYA3N.js";
import "./chunk-3P3CGK6E.js";
export {
  dropFromSeats,
  letIn,
  renew,
  signOut
};
