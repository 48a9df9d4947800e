import { fill } from '../fill.ts'

interface ScalingRules {
  stabilizationWindowSeconds?: number
  selectPolicy?: string
  policies?: { type: string; value: number; periodSeconds: number }[]
}

export interface Behavior {
  scaleUp?: ScalingRules
  scaleDown?: ScalingRules
}

/** What is filled in where any behavior is given. Source: Kubernetes documentation, "Default Behavior". */
export function setBehaviorDefaults(behavior: Behavior): void {
  fill((behavior.scaleUp ??= {}), {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  })
  fill((behavior.scaleDown ??= {}), {
    selectPolicy: 'Max',
    policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
  })
}
