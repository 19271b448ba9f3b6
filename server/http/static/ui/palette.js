// The colours that this device asks for: those of pictures come from the server.

import { Media } from "./media.js";

const DARK = new Media("(prefers-color-scheme: dark)");

export const palette = () => (DARK.matches ? "dark" : "light");

/** @param {() => void} redraw called when the device asks for others */
export const onPalette = (redraw) => DARK.onChange(redraw);
