import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type {
  AuditLevel,
  AuditPolicy,
  AuditRule,
  AuditSettings,
  AuditStage,
} from './auditSettings.ts'
import { builtInRules, levelRules } from './builtInRules.ts'
import { ruleMatcher, type AuditAttributes, type Matches } from './auditRuleMatcher.ts'

/** Audit level of a request, and the stages to omit. */
export interface AuditDecision {
  level: Exclude<AuditLevel, 'None'>
  omitted: ReadonlySet<AuditStage>
}

/** Decides how a request is recorded; undefined: not recorded. */
export type DecideAudit = (request: AuditAttributes) => AuditDecision | undefined

/**
 * Compiles the policy of valid settings. Custom rules replace all built-in ones, including the omission of
 * RequestReceived. Source: specification, "Config", audit; platform facts 1.7.
 */
export function auditPolicy(settings: AuditSettings, names: NamesProfile): DecideAudit {
  const { rules, omitStages = [] } = settings.policy ?? {}
  if (rules !== undefined && rules.length > 0) return firstMatch(rules, omitStages)
  // An unset integer is 0 on the wire.
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
    // Validation rejects settings with other levels or stages.
    const level = rule.level as AuditLevel
    const omitted = new Set([...omitStages, ...(rule.omitStages ?? [])] as AuditStage[])
    return {
      matches: ruleMatcher(rule),
      decision: level === 'None' ? undefined : { level, omitted },
    }
  })
  return (request) => compiled.find(({ matches }) => matches(request))?.decision
}
