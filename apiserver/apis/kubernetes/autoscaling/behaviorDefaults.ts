import { fillMissing } from '../../fill.ts'
import type { HorizontalPodAutoscalerBehavior } from '../shapes/autoscalingV2.ts'

/** Sets the defaults of a behavior. Source: Kubernetes documentation, "Default Behavior". */
export function setBehaviorDefaults(behavior: HorizontalPodAutoscalerBehavior): void {
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
