import {
  dropFromSeats,
  letIn,
  renew,
  signOut
} from "./chunk-D7HGGCRC.js";
import "./chunk-NGOLGQZD.js";
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
