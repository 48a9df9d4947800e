import type { Part } from './part.ts'
import { writePart } from './writePart.ts'

export const parts: readonly Part[] = [writePart]
