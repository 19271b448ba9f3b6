// What every page does: its times are told in the zone of this device.
import { localize } from "../ui/times.js";

localize(document);
