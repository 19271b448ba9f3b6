// Runs on every page: shows its times in the zone of this device.
import { localize } from "../ui/times.js";

localize(document);
