import {
  localize
} from "./chunk-4Y72MECT.js";

// server/http/static/pages/every-page.js
localize(document);
