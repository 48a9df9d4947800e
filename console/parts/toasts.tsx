import { createContext, use, useCallback, useMemo, useState, type ReactNode } from 'react'
import { Note, type Tone } from './notes.tsx'

type Say = (text: string, tone?: Tone) => void

const SayContext = createContext<Say>(() => undefined)

const shownMs = 6_000

/** Short messages about completed actions, also announced by screen readers. */
export function Toasts({ children }: { children: ReactNode }) {
  const [notes, setNotes] = useState<{ id: number; text: string; tone: Tone }[]>([])
  const say = useCallback<Say>((text, tone = 'good') => {
    const id = performance.now()
    setNotes((old) => [...old.slice(-3), { id, text, tone }])
    setTimeout(() => setNotes((old) => old.filter((note) => note.id !== id)), shownMs)
  }, [])
  return (
    <SayContext value={useMemo(() => say, [say])}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {notes.map(({ id, text, tone }) => (
          <Note key={id} tone={tone}>
            {text}
          </Note>
        ))}
      </div>
    </SayContext>
  )
}

/** Function that shows a message for a few seconds. */
export function useSay(): Say {
  return use(SayContext)
}
