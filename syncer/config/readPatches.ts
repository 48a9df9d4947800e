import { isObject } from '../../apiserver/meta/json/isObject.ts'
import { messageOf } from '../../apiserver/meta/messageOf.ts'
import { parsePath } from '../paths/parsePath.ts'
import { readList, readMap, readString, refuseUnknown, type Problems } from './fieldShape.ts'
import { patchFields, referenceTexts, type PatchRule, type ReferenceRule } from './patchRule.ts'

/**
 * Reads the patches at `path`, such as `sync.toHost.endpoints.patches`, in order. Messages are the platform's own, if
 * it has one. Source: platform facts 6.1, 6.2.
 */
export function readPatches(value: unknown, path: string, problems: Problems): PatchRule[] {
  const patches = readList(value, path, problems).map((patch, index) =>
    readPatch(patch, `${path}[${index}]`, problems),
  )
  patches.forEach((patch, index) => {
    problems.push(...patchProblems(patch, `${path}[${index}]`))
    const same = patches.findIndex((earlier) => earlier.path === patch.path)
    if (same < index) {
      problems.push(`${path}[${same}] and ${path}[${index}] have the same path "${patch.path}"`)
    }
  })
  return patches
}

function readPatch(value: unknown, at: string, problems: Problems): PatchRule {
  const map = readMap(value, at, problems)
  refuseUnknown(map, patchFields, { path: at, problems })
  if (map.path === undefined || map.path === null) problems.push(`${at}.path is required`)
  const expression = readString(map.expression, `${at}.expression`, problems)
  const reverseExpression = readString(map.reverseExpression, `${at}.reverseExpression`, problems)
  return {
    path: (readString(map.path, `${at}.path`, problems) ?? '').trim(),
    ...(expression === undefined ? {} : { expression }),
    ...(reverseExpression === undefined ? {} : { reverseExpression }),
    ...readTarget(map, at, problems),
  }
}

/**
 * Reads the target; `labels` is allowed beside `reference` or in it, since the platform and its specification differ.
 */
function readTarget(
  map: Record<string, unknown>,
  at: string,
  problems: Problems,
): Pick<PatchRule, 'reference' | 'labels'> {
  const reference = readMap(map.reference, `${at}.reference`, problems)
  refuseUnknown(reference, [...referenceTexts, 'labels'], { path: `${at}.reference`, problems })
  const hasLabels = [map.labels, reference.labels].some((labels) => isObject(labels))
  const isLabelsAlone = Object.keys(reference).every((key) => key === 'labels') && hasLabels
  const isReference = isObject(map.reference) && !isLabelsAlone
  return {
    ...(isReference ? { reference: readReference(reference, `${at}.reference`, problems) } : {}),
    ...(hasLabels ? { labels: {} } : {}),
  }
}

function readReference(
  map: Record<string, unknown>,
  at: string,
  problems: Problems,
): ReferenceRule {
  const texts = Object.fromEntries(
    referenceTexts.flatMap((key) => {
      const text = readString(map[key], `${at}.${key}`, problems)
      return text === undefined ? [] : [[key, text]]
    }),
  )
  const { apiVersion = '', kind = '' } = texts
  if (apiVersion === '') problems.push(`${at}.apiVersion is required`)
  if (kind === '') problems.push(`${at}.kind is required`)
  const needsName = ['namespacePath', 'kindPath', 'apiVersionPath'].find((key) => key in texts)
  if (needsName !== undefined && texts.namePath === undefined) {
    problems.push(`${at}.namePath is required with ${needsName}`)
  }
  for (const key of referenceTexts.filter((name) => name.endsWith('Path'))) {
    problems.push(...pathProblems(texts[key] ?? '', `${at}.${key}`))
  }
  return { ...texts, apiVersion, kind }
}

function patchProblems(patch: PatchRule, at: string): string[] {
  const { path, expression, reverseExpression, reference, labels } = patch
  const used = [expression ?? reverseExpression, reference, labels].filter(
    (use) => use !== undefined,
  )
  const words = 'one of: expression, labels or reference'
  return [
    ...(used.length > 1 ? [`${at} can only use ${words}`] : []),
    ...(used.length === 0 ? [`${at} need to use ${words}`] : []),
    ...pathProblems(path, `${at}.path`),
    ...(isIdentity(path) ? [`${at}.path must not be ${path}: the syncer decides it`] : []),
  ]
}

function pathProblems(path: string, at: string): string[] {
  try {
    parsePath(path)
    return []
  } catch (error) {
    return [`${at} is invalid: ${messageOf(error)}`]
  }
}

/** Reports whether a path is part of an object's identity. Source: platform facts 6.2, the newer rules. */
function isIdentity(path: string): boolean {
  return path === 'metadata.name' || path === 'metadata.namespace'
}
