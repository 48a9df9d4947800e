/** Paths on a 16×16 grid. */
const paths = {
  add: 'M8 3v10M3 8h10',
  app: 'M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM11 9v4M9 11h4',
  bad: 'M4 4l8 8M12 4l-8 8',
  book: 'M3 3h4a2 2 0 011 .5A2 2 0 019 3h4v9H9a2 2 0 00-1 .5A2 2 0 007 12H3zM8 3.5v9',
  box: 'M8 1.8l5.5 3v6.4L8 14.2l-5.5-3V4.8zM2.6 4.9L8 7.9l5.4-3M8 8v6',
  chart: 'M2.5 2.5v11h11M5 10.5l2.5-3 2 2L13 5',
  cluster: 'M8 2.2l5 2.9v5.8l-5 2.9-5-2.9V5.1zM8 6.2a1.8 1.8 0 100 3.6 1.8 1.8 0 000-3.6z',
  copy: 'M6 6h7v7H6zM3 10V3h7',
  down: 'M8 3v10M4 9l4 4 4-4',
  good: 'M3 8.5l3.2 3L13 4.8',
  gear: 'M8 5.8a2.2 2.2 0 100 4.4 2.2 2.2 0 000-4.4zM8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6L5 5M11 11l1.4 1.4M3.6 12.4L5 11M11 5l1.4-1.4',
  home: 'M2.5 7.5L8 3l5.5 4.5M4 6.6V13h8V6.6',
  info: 'M8 2a6 6 0 100 12A6 6 0 008 2zM8 7.2V11M8 5h.01',
  key: 'M6 7a3 3 0 100 4 3 3 0 000-4zM7 8.6L13 4M11 5.5l1.6 1.6',
  kinds: 'M8 2L14 5 8 8 2 5zM2.5 8L8 10.8 13.5 8M2.5 11L8 13.8 13.5 11',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  lock: 'M4 7h8v6H4zM5.5 7V5a2.5 2.5 0 015 0v2',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  people:
    'M6 3a2.2 2.2 0 100 4.4A2.2 2.2 0 006 3zM2 13c0-2.4 1.8-4 4-4s4 1.6 4 4M10.5 3.4a2 2 0 010 3.8M11.5 9.3c1.5.5 2.5 1.8 2.5 3.7',
  project: 'M2.5 3h4v10h-4zM9.5 3h4v6h-4z',
  retry: 'M13 8a5 5 0 11-1.6-3.7M13 2.5V5h-2.6',
  out: 'M9.5 3H13v3.5M13 3L7.5 8.5M11 9v4H3V5h4',
  search: 'M7 2.8a4.2 4.2 0 100 8.4 4.2 4.2 0 000-8.4zM10.2 10.2L13.5 13.5',
  shield: 'M8 2l5 1.8v4c0 3.2-2.2 5.2-5 6.2-2.8-1-5-3-5-6.2v-4zM5.8 8l1.6 1.6 2.9-3.2',
  star: 'M8 2.2l1.8 3.7 4 .6-2.9 2.8.7 4L8 11.4l-3.6 1.9.7-4L2.2 6.5l4-.6z',
  swap: 'M3 5.5h9M9.5 3L12 5.5 9.5 8M13 10.5H4M6.5 8L4 10.5 6.5 13',
  theme: 'M8 2.2a5.8 5.8 0 100 11.6zM8 2.2a5.8 5.8 0 010 11.6',
  up: 'M8 13V3M4 7l4-4 4 4',
  wait: 'M8 2a6 6 0 100 12A6 6 0 008 2zM8 4.8V8l2.2 1.6',
  warn: 'M8 2.2l6 11H2zM8 6.5v3M8 11.4h.01',
} as const

export type IconName = keyof typeof paths

/** Icon beside a word; decorative only. */
export function Icon({ name, filled = false }: { name: IconName; filled?: boolean }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} fill={filled ? 'currentColor' : 'none'} />
    </svg>
  )
}
