import type { ApiClient, Place } from './apiClient.ts'

/** Hint with the name that was probably meant; empty: no similar name, or names cannot be listed. */
export async function didYouMean(client: ApiClient, place: Place, name: string): Promise<string> {
  try {
    const { items } = await client.list(place)
    const near = nearest(
      name,
      items.map(({ metadata }) => metadata.name ?? ''),
    )
    return near === undefined ? '' : `Did you mean "${near}"?`
  } catch {
    return ''
  }
}

/** Candidate with the smallest edit distance; undefined: all differ too much. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length * 0.4))
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.candidate
}

/** Number of letters to insert, delete, replace, or swap with the next one. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let best = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, at(before, j - 2) + 1)
      next.push(best)
    }
    before = row
    row = next
  }
  return at(row, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.MAX_SAFE_INTEGER
}
