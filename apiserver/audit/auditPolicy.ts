import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type {
  AuditLevel,
  AuditPolicy,
  AuditRule,
  AuditSettings,
  AuditStage,
} from './auditSettings.ts'
import { builtInRules, levelRules } from './builtInRules.ts'
import { ruleMatcher, type AuditAttributes, type Matches } from './ruleMatcher.ts'

/** How much of a request is noted, and which of its stages are not. */
export interface AuditDecision {
  level: Exclude<AuditLevel, 'None'>
  omitted: ReadonlySet<AuditStage>
}

/** undefined: the request is not noted. */
export type DecideAudit = (request: AuditAttributes) => AuditDecision | undefined

/** The policy of settings that have no errors. Rules of one's own replace everything that is built in, the omission of
 *  RequestReceived too. Source: specification, "Config", audit; platform facts 1.7. */
export function auditPolicy(settings: AuditSettings, names: NamesProfile): DecideAudit {
  const { rules, omitStages = [] } = settings.policy ?? {}
  if (rules !== undefined && rules.length > 0) return firstMatch(rules, omitStages)
  // Level 0 is what an unset integer is on the wire.
  const fixed = [...builtInRules(names), ...levelRules(settings.level || 1)]
  return firstMatch(fixed, ['RequestReceived', ...omitStages])
}

interface CompiledRule {
  matches: Matches
  decision: AuditDecision | undefined
}

function firstMatch(
  rules: readonly AuditRule[],
  omitStages: NonNullable<AuditPolicy['omitStages']>,
): DecideAudit {
  const compiled = rules.map((rule): CompiledRule => {
    // Sound: settings with other levels and stages have errors.
    const level = rule.level as AuditLevel
    const omitted = new Set([...omitStages, ...(rule.omitStages ?? [])] as AuditStage[])
    return {
      matches: ruleMatcher(rule),
      decision: level === 'None' ? undefined : { level, omitted },
    }
  })
  return (request) => compiled.find(({ matches }) => matches(request))?.decision
}
