import {
  dropFromSeats,
  letIn,
  renew,
  signOut
} from "./chunk-I7JAH644.js";
import "./chunk-POALUEB5.js";
import "./chunk-J374VYKZ.js";
import "./chunk-KHBG72CQ.js";
import "./chunk-WTO7KCRN.js";
import "./chunk-2WYNB7VX.js";
export {
  dropFromSeats,
  letIn,
  renew,
  signOut
};
