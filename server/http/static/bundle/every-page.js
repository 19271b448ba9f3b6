import {
  localize
} from "./chunk-VXTNBNPV.js";

// server/http/static/pages/every-page.js
localize(document);
