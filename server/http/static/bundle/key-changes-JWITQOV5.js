import {
  dropFromSeats,
  letIn,
  renew,
  signOut
} from "./chunk-2JFHDFWV.js";
import "./chunk-4PMT4NOT.js";
import "./chunk-CCNW5AZ3.js";
import "./chunk-PZZ636EH.js";
import "./chunk-DCBOJBG2.js";
import "./chunk-3P3CGK6E.js";
export {
  dropFromSeats,
  letIn,
  renew,
  signOut
};
