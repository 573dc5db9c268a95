/** The width of a map cell in degrees of longitude. Its height is one degree of latitude. */
export const CELL_LONGITUDE = 1.25

/**
 * The contiguous United States in cells, from north to south. Each row is a degree of latitude followed by runs of
 * cells from west to east, counted from Greenwich. A cell is land if it contains a zip code from the service's own
 * list, or lies between two nearby cells that do.
 */
const ROWS = `49 -77..-76
48 -100..-74
47 -100..-71 -56..-55
46 -100..-64 -56..-55
45 -100..-67 -58..-54
44 -100..-67 -62..-54
43 -100..-56
42 -100..-57
41 -100..-56
40 -100..-58
39 -100..-60
38 -99..-60
37 -99..-61
36 -98..-61
35 -97..-61
34 -97..-62
33 -95..-63
32 -94..-64
31 -91..-65
30 -84..-66
29 -84..-65
28 -81..-77 -67..-65
27 -80..-78 -67..-65
26 -80..-78 -66..-65
25 -79..-78 -66..-65
24 -66..-63`

type Cell = { readonly latitude: number; readonly longitude: number }

/** The center of each land cell. */
export const LAND: readonly Cell[] = ROWS.split('\n').flatMap((row) => {
  const [degree = '', ...runs] = row.split(' ')
  return runs.flatMap((run) => {
    const [from = 0, to = from] = run.split('..').map(Number)
    return Array.from({ length: to - from + 1 }, (_, index) => ({
      latitude: Number(degree) + 0.5,
      longitude: (from + index + 0.5) * CELL_LONGITUDE,
    }))
  })
})
