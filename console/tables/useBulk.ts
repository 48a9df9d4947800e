import { useState } from 'react'
import { errorText } from '../parts/notes.tsx'
import type { ListedMetadata } from '../watch/shapes.ts'

/** Requests at once: more do not make a server quicker, and hold up other pages. */
const atOnce = 4

interface Bulk {
  /** Objects as they were chosen: the table goes on changing. */
  chosen: readonly ListedMetadata[]
  /** Number of objects that were handled; undefined: it has not begun. */
  done: number | undefined
  isDone: boolean
  /** Sentence for each object that failed. */
  problems: readonly string[]
  /** Handles all; whether none failed. */
  run: () => Promise<boolean>
}

/** An action on many objects with its progress; one that fails holds up no other. */
export function useBulk(
  objects: readonly ListedMetadata[],
  act: (object: ListedMetadata) => Promise<void>,
): Bulk {
  const [chosen] = useState(objects)
  const [done, setDone] = useState<number>()
  const [problems, setProblems] = useState<readonly string[]>([])
  const run = async () => {
    const left = [...chosen]
    const found: string[] = []
    let count = 0
    setDone(0)
    const work = async () => {
      for (let object = left.shift(); object !== undefined; object = left.shift()) {
        const { name } = object
        await act(object).catch((error: unknown) => found.push(`${name}: ${errorText(error)}`))
        setDone(++count)
        setProblems([...found])
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return found.length === 0
  }
  return { chosen, done, isDone: done === chosen.length, problems, run }
}
