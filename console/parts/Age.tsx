import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** Subscribes to the shared timer of all ages on the page, which runs while there are any. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => listeners.forEach((each) => each()), 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const

/** Duration in the form of kubectl: at most two units, or one if its count is ten or more. */
function durationText(seconds: number): string {
  const total = Math.max(0, Math.floor(seconds))
  const at = units.findIndex(([, size]) => total >= size)
  const [unit, size] = units[at] ?? units[3]
  const count = Math.floor(total / size)
  const next = units[at + 1]
  const rest = next === undefined ? 0 : Math.floor((total % size) / next[1])
  const isShort = count >= 10 || rest === 0 || next === undefined
  return isShort ? `${count}${unit}` : `${count}${unit}${rest}${next[0]}`
}

/** Time since a moment, which advances by itself and renders only changes. */
export function Age({ since }: { since: string | undefined }) {
  const then = Date.parse(since ?? '')
  const text = useSyncExternalStore(subscribe, () =>
    Number.isNaN(then) ? '–' : durationText((Date.now() - then) / 1000),
  )
  if (Number.isNaN(then)) return <>{text}</>
  const exact = new Date(then)
  return (
    <time className="numbers" dateTime={since} title={exact.toLocaleString()}>
      {text}
    </time>
  )
}
