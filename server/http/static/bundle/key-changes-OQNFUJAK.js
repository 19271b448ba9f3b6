import {
  dropFromSeats,
  letIn,
  renew,
  signOut
} from "./chunk-7HV42CMK.js";
import "./chunk-4NYZHJFO.js";
import "./chunk-KQBD7LLG.js";
import "./chunk-PZZ636EH.js";
import "./chunk-WTO7KCRN.js";
import "./chunk-2WYNB7VX.js";
export {
  dropFromSeats,
  letIn,
  renew,
  signOut
};
