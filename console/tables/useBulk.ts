import { useState } from 'react'
import { errorText } from '../parts/notes.tsx'
import type { ListedMetadata } from '../watch/shapes.ts'

/** Concurrent requests: more would not make the server faster, and would delay other pages. */
const atOnce = 4

interface Bulk {
  /** Objects as chosen, although the table keeps changing. */
  chosen: readonly ListedMetadata[]
  /** Number of processed objects; undefined: not started. */
  done: number | undefined
  isDone: boolean
  /** Message for each object that failed. */
  problems: readonly string[]
  /** Processes all objects; resolves to true if none failed. */
  run: () => Promise<boolean>
}

/** Action on many objects, with its progress; a failure does not stop the others. */
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
