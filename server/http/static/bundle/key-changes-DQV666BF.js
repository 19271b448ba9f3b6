import {
  dropFromSeats,
  letIn,
  renew,
  signOut
} from "./chunk-7MYFFZT3.js";
import "./chunk-CSHIU54K.js";
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
