import {
  dropFromSeats,
  letIn,
  renew,
  signOut
} from "./chunk-RFIKSDOG.js";
import "./chunk-GKU24XFM.js";
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
