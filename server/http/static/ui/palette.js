// The colours that this device asks for: those of pictures come from the server.

const DARK = matchMedia("(prefers-color-scheme: dark)");

export const palette = () => (DARK.matches ? "dark" : "light");

/** @param {() => void} redraw called when the device asks for others */
export const onPalette = (redraw) => DARK.addEventListener("change", redraw);
