import { fillMissing } from '../../fill.ts'

export interface ScalingRules {
  stabilizationWindowSeconds?: number
  selectPolicy?: string
  policies?: ScalingPolicy[]
  tolerance?: string
}

export interface ScalingPolicy {
  type?: string
  value?: number
  periodSeconds?: number
}

export interface Behavior {
  scaleUp?: ScalingRules
  scaleDown?: ScalingRules
}

/** Sets the defaults of a behavior. Source: Kubernetes documentation, "Default Behavior". */
export function setBehaviorDefaults(behavior: Behavior): void {
  fillMissing((behavior.scaleUp ??= {}), {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  })
  fillMissing((behavior.scaleDown ??= {}), {
    selectPolicy: 'Max',
    policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
  })
}
