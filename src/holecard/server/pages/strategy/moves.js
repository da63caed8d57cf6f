// @ts-check
// Arrow keys in a table of cells: one cell can be reached with Tab, the arrows move on from there.

/** @typedef {{row: number, column: number}} Place */

/**
 * Return the cell that a key leads to; null where the key is for something else.
 * @param {string} key
 * @param {Place} from
 * @param {number} rows
 * @param {number} columns
 * @param {boolean} [whole] whether Home and End go to the corners of the table
 * @returns {Place | null}
 */
export function moved(key, from, rows, columns, whole = false) {
  const { row, column } = from;
  switch (key) {
    case "ArrowUp":
      return { row: Math.max(row - 1, 0), column };
    case "ArrowDown":
      return { row: Math.min(row + 1, rows - 1), column };
    case "ArrowLeft":
      return { row, column: Math.max(column - 1, 0) };
    case "ArrowRight":
      return { row, column: Math.min(column + 1, columns - 1) };
    case "Home":
      return { row: whole ? 0 : row, column: 0 };
    case "End":
      return { row: whole ? rows - 1 : row, column: columns - 1 };
    default:
      return null;
  }
}
