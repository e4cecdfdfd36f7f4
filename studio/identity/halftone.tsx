type Shape = 'bay' | 'stone' | 'hill' | 'moon' | 'dune'

/** The darkness of each picture at a point, from 0 to 1; x and y run from 0 to 1. */
const pictures: Record<Shape, (x: number, y: number) => number> = {
  bay: (x, y) =>
    outside(x, y, { cx: 0.68, cy: 0.72, rx: 0.2, ry: 0.2 }) ? (y < 0.3 ? 1 - y : y < 0.5 ? 0.35 : 0.4 + y * 0.5) : 0,
  stone: (x, y) => (outside(x, y, { cx: 0.5, cy: 0.55, rx: 0.24, ry: 0.24 }) ? 0.35 + Math.abs(y - 0.5) * 1.2 : 0),
  hill: (x, y) => (y > 0.35 + 0.5 * Math.abs(x - 0.45) ? 0 : 0.95 - y * 0.7 - x * 0.2),
  moon: (x, y) =>
    outside(x, y, { cx: 0.52, cy: 0.36, rx: 0.26, ry: 0.24 }) ? 0.5 + Math.hypot(x - 0.5, y - 0.36) * 0.6 : 0,
  dune: (x, y) => (y > 0.95 - 0.9 * x * x || (y < 0.5 && x < 0.3 + 0.2 * y) ? 0.25 + y * 0.65 : 0),
}

interface Ellipse {
  cx: number
  cy: number
  rx: number
  ry: number
}

const outside = (x: number, y: number, { cx, cy, rx, ry }: Ellipse) => ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 > 1

const GRID = 3.1
const SIZES = 6

interface Frame {
  x?: number
  y: number
  width: number
  height: number
  shape: Shape
}

/** A halftone picture: dots on a staggered grid. Dots of one size share a path, which keeps the SVG small. */
export function Halftone({ x = 0, y, width, height, shape }: Frame) {
  const paths = Array.from({ length: SIZES }, () => '')
  for (let row = 0; row * GRID <= height; row++) {
    for (let column = 0; column * GRID + (row % 2) * 1.55 <= width; column++) {
      const px = column * GRID + (row % 2) * 1.55
      const ink = Math.min(1, pictures[shape](px / width, (row * GRID) / height))
      const size = Math.round(ink * (SIZES - 1))
      if (size > 0) paths[size] += `M${(x + px).toFixed(1)} ${(y + row * GRID).toFixed(1)}h0`
    }
  }
  return (
    <g fill="none" stroke="var(--b)" strokeLinecap="round">
      {paths.map((path, size) => path && <path key={path} d={path} strokeWidth={0.5 + 2.2 * (size / (SIZES - 1))} />)}
    </g>
  )
}

/** Bars in the place of lines of text. Some are shorter, as at the end of a paragraph. */
export function Lines(props: { x: number; y: number; width: number; lines: number; step?: number }) {
  const step = props.step ?? 5.2
  const path = Array.from({ length: props.lines }, (_, line) => {
    const ends = (line * 7 + Math.round(props.x + props.y)) % 9 === 4
    return `M${props.x} ${(props.y + line * step).toFixed(1)}h${ends ? (props.width * 0.58).toFixed(1) : props.width}`
  })
  return <path d={path.join('')} stroke="var(--g)" strokeWidth={1.25} fill="none" />
}
