import {
  dropFromSeats,
  letIn,
  renew,
  signOut
} from "./chunk-EBAAG4RC.js";
import "./chunk-SJGP4FYI.js";
import "./chunk-JTXDO2YP.js";
import "./chunk-4VMNYA3N.js";
import "./chunk-Y5AED5XM.js";
import "./chunk-PZZ636EH.js";
import "./chunk-3P3CGK6E.js";
export {
  dropFromSeats,
  letIn,
  renew,
  signOut
};
