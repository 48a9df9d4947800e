import { exceededDepth } from '../meta/deepContent.ts'
import { stringEnd } from '../meta/jsonStrings.ts'
import { requestEntityTooLarge } from '../meta/statusErrors.ts'

export interface JsonShape {
  /** Object members, by the colons outside of strings. */
  members: number
  /** How deeply the brackets nest. */
  depth: number
}

/** Levels of objects and arrays in a body. Source: reference 1.12. */
export const maxDepth = 10_000

/** From here on the runtime keeps an object's members in a table, and each takes about eight times as long. */
const wideMembers = 64
const wideWeight = 8

const quote = 0x22

/** The shape of a JSON text, found before anything is made of it. A text is as heavy as what it holds takes time: each value
 *  weighs one, and eight as a member of an object with more than 64.
 *  @throws StatusError 400 when brackets nest too deeply; 413 for a text heavier than `maxWeight`. */
export function jsonShape(text: string, maxWeight: number): JsonShape {
  let [members, depth, deepest, weight] = [0, 0, 0, 0]
  /** Members so far of the object at hand; in an array so low that it is never wide. */
  let width = 0
  const widths: number[] = []
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = stringEnd(text, at)
        break
      case 0x2c: // ,
        weight += ++width > wideMembers ? wideWeight : 1
        if (weight > maxWeight) throw tooHeavy(maxWeight)
        break
      case 0x3a: // :
        members++
        break
      case 0x7b: // {
      case 0x5b: // [
        widths.push(width)
        width = text.charCodeAt(at) === 0x7b ? 0 : -Infinity
        if (++depth > deepest) deepest = depth
        if (depth > maxDepth) throw exceededDepth(text.charAt(at))
        if (++weight > maxWeight) throw tooHeavy(maxWeight)
        break
      case 0x7d: // }
      case 0x5d: // ]
        width = widths.pop() ?? 0
        depth--
    }
  }
  return { members, depth: deepest }
}

function tooHeavy(maxWeight: number): Error {
  const most = Math.floor(maxWeight / wideWeight)
  return requestEntityTooLarge(
    `an object has at most ${maxWeight} values, or ${most} members of large maps`,
  )
}
