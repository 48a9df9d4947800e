/** Valid objects, and what answers tell of them once something else stands at a path of dots, or nothing: a line each,
 *  with the causes at its end. Source: recorded answers. */
export interface RecordedRules {
  object: Readonly<Record<string, unknown>> & { kind: string }
  lines: string
}

export const recordedRules: readonly RecordedRules[] = [
  {
    object: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: {
        replicas: 2,
        minReadySeconds: 3,
        revisionHistoryLimit: 4,
        progressDeadlineSeconds: 100,
        paused: false,
        selector: {
          matchLabels: { app: 'a' },
          matchExpressions: [
            { key: 'app', operator: 'In', values: ['a', 'b'] },
            { key: 'zz', operator: 'DoesNotExist' },
          ],
        },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '30%', maxUnavailable: 1 } },
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        },
      },
    },
    lines: `
spec.replicas = -1 -> spec.replicas: Invalid value: -1: must be greater than or equal to 0
spec.minReadySeconds = -1 -> spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0
spec.minReadySeconds = 70000 -> spec.progressDeadlineSeconds: Invalid value: 100: must be greater than minReadySeconds
spec.revisionHistoryLimit = -1 -> spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0
spec.selector = {} -> spec.selector: Invalid value: {}: empty selector is invalid for deployment
spec.selector.matchLabels.app = "" -> spec.template.metadata.labels: Invalid value: {"app":"a"}: \`selector\` does not match template \`labels\`
spec.strategy.rollingUpdate.maxUnavailable = -1 -> spec.strategy.rollingUpdate.maxUnavailable: Invalid value: -1: must be greater than or equal to 0
spec.template.metadata = nothing -> spec.template.metadata.labels: Invalid value: null: \`selector\` does not match template \`labels\`
spec.template.spec = nothing -> spec.template.spec.containers: Required value
`,
  },
  {
    object: {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      spec: {
        replicas: 2,
        minReadySeconds: 3,
        selector: { matchLabels: { app: 'a' } },
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        },
      },
    },
    lines: `
spec.replicas = -1 -> spec.replicas: Invalid value: -1: must be greater than or equal to 0
spec.minReadySeconds = -1 -> spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0
spec.selector = {} -> spec.selector: Invalid value: {}: empty selector is invalid for deployment
spec.selector.matchLabels.app = "" -> spec.template.metadata.labels: Invalid value: {"app":"a"}: \`selector\` does not match template \`labels\`
spec.template.metadata = nothing -> spec.template.metadata.labels: Invalid value: null: \`selector\` does not match template \`labels\`
spec.template.spec = nothing -> spec.template.spec.containers: Required value
`,
  },
  {
    object: {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      spec: {
        serviceName: 'svc',
        replicas: 2,
        minReadySeconds: 1,
        revisionHistoryLimit: 2,
        podManagementPolicy: 'Parallel',
        ordinals: { start: 2 },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
        selector: { matchLabels: { app: 'a' } },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        },
      },
    },
    lines: `
spec.replicas = -1 -> spec.replicas: Invalid value: -1: must be greater than or equal to 0
spec.minReadySeconds = -1 -> spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0
spec.podManagementPolicy = "Bad_Value!" -> spec.podManagementPolicy: Invalid value: "Bad_Value!": must be 'OrderedReady' or 'Parallel'
spec.ordinals.start = -1 -> spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0
spec.persistentVolumeClaimRetentionPolicy.whenDeleted = "Bad_Value!" -> spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Bad_Value!": supported values: "Retain", "Delete"
spec.persistentVolumeClaimRetentionPolicy.whenScaled = "Bad_Value!" -> spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Bad_Value!": supported values: "Retain", "Delete"
spec.updateStrategy.rollingUpdate.partition = -1 -> spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0
spec.selector = {} -> spec.selector: Invalid value: {}: empty selector is invalid for statefulset
spec.selector.matchLabels.app = "" -> spec.template.metadata.labels: Invalid value: {"app":"a"}: \`selector\` does not match template \`labels\`
spec.volumeClaimTemplates.0.spec.accessModes = nothing -> spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required
spec.volumeClaimTemplates.0.spec.resources = nothing -> spec.volumeClaimTemplates[0].spec.resources[storage]: Required value
spec.volumeClaimTemplates.0.spec.resources.requests.storage = "-1" -> spec.volumeClaimTemplates[0].spec.resources[storage]: Invalid value: "-1": must be greater than zero
spec.template.metadata = nothing -> spec.template.metadata.labels: Invalid value: null: \`selector\` does not match template \`labels\`
spec.template.spec = nothing -> spec.template.spec.containers: Required value
`,
  },
  {
    object: {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      spec: {
        updateStrategy: { type: 'OnDelete' },
        selector: { matchLabels: { app: 'a' } },
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        },
      },
    },
    lines: `
spec.updateStrategy.type = "Bad_Value!" -> spec.updateStrategy: Invalid value: {"Type":"Bad_Value!","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'
`,
  },
  {
    object: {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      spec: {
        minReadySeconds: 1,
        revisionHistoryLimit: 2,
        updateStrategy: {
          type: 'RollingUpdate',
          rollingUpdate: { maxSurge: 0, maxUnavailable: '20%' },
        },
        selector: { matchLabels: { app: 'a' } },
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i' }], nodeSelector: { a: 'b' } },
        },
      },
    },
    lines: `
spec.minReadySeconds = -1 -> spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0
spec.revisionHistoryLimit = -1 -> spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0
spec.updateStrategy.rollingUpdate.maxSurge = 70000 -> spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 70000: may not be set when maxUnavailable is non-zero
spec.selector = nothing -> spec.template.metadata.labels: Invalid value: {"app":"a"}: \`selector\` does not match template \`labels\`
spec.selector = {} -> spec.selector: Invalid value: {}: empty selector is invalid for daemonset
spec.template.metadata = nothing -> spec.template.metadata.labels: Invalid value: null: \`selector\` does not match template \`labels\`
spec.template.spec = nothing -> spec.template.spec.containers: Required value
`,
  },
  {
    object: {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      spec: {
        updateStrategy: { type: 'OnDelete' },
        selector: { matchLabels: { app: 'a' } },
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        },
      },
    },
    lines: `
spec.updateStrategy.type = "-1" -> spec.updateStrategy: Unsupported value: {"Type":"-1","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"
`,
  },
  {
    object: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      spec: {
        parallelism: 2,
        completions: 3,
        activeDeadlineSeconds: 10,
        backoffLimit: 2,
        ttlSecondsAfterFinished: 5,
        completionMode: 'NonIndexed',
        suspend: false,
        podReplacementPolicy: 'Failed',
        managedBy: 'example.com/x',
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
        },
      },
    },
    lines: `
spec.parallelism = -1 -> spec.parallelism: Invalid value: -1: must be greater than or equal to 0
spec.completions = -1 -> spec.completions: Invalid value: -1: must be greater than or equal to 0
spec.activeDeadlineSeconds = -1 -> spec.activeDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0
spec.backoffLimit = -1 -> spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0
spec.ttlSecondsAfterFinished = -1 -> spec.ttlSecondsAfterFinished: Invalid value: -1: must be greater than or equal to 0
spec.completionMode = "" -> spec.completionMode: Unsupported value: "": supported values: "NonIndexed", "Indexed"
spec.podReplacementPolicy = "" -> spec.podReplacementPolicy: Unsupported value: "": supported values: "Failed", "TerminatingOrFailed"
spec.managedBy = "" -> spec.managedBy: Required value
spec.managedBy = "Bad_Value!" -> spec.managedBy: Invalid value: "Bad_Value!": must be a domain-prefixed path (such as "acme.io/foo")
spec.template.spec.containers = nothing -> spec.template.spec.containers: Required value
spec.template.spec.restartPolicy = nothing -> spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"
`,
  },
  {
    object: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      spec: {
        parallelism: 2,
        completions: 3,
        completionMode: 'Indexed',
        backoffLimitPerIndex: 1,
        maxFailedIndexes: 2,
        successPolicy: { rules: [{ succeededIndexes: '0-1,2', succeededCount: 1 }] },
        podFailurePolicy: {
          rules: [
            {
              action: 'FailJob',
              onExitCodes: { containerName: 'c', operator: 'In', values: [1, 2] },
            },
            { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
            { action: 'FailIndex', onExitCodes: { operator: 'NotIn', values: [0] } },
          ],
        },
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
        },
      },
    },
    lines: `
spec.parallelism = 2000000001 -> spec.parallelism: Invalid value: 2000000001: must be less than or equal to 100000 when completion mode is Indexed
spec.backoffLimitPerIndex = -1 -> spec.backoffLimitPerIndex: Invalid value: -1: must be greater than or equal to 0
spec.maxFailedIndexes = -1 -> spec.maxFailedIndexes: Invalid value: -1: must be greater than or equal to 0
spec.maxFailedIndexes = 70000 -> spec.maxFailedIndexes: Invalid value: 70000: must be less than or equal to completions
spec.successPolicy = {} -> spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified
spec.successPolicy.rules.0 = {} -> spec.successPolicy.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified
spec.successPolicy.rules.0.succeededCount = -1 -> spec.successPolicy.rules[0].succeededCount: Invalid value: -1: must be greater than or equal to 0
spec.podFailurePolicy.rules.0.action = nothing -> spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]
spec.podFailurePolicy.rules.0.action = "-1" -> spec.podFailurePolicy.rules[0].action: Unsupported value: "-1": supported values: "Count", "FailIndex", "FailJob", "Ignore"
spec.podFailurePolicy.rules.0.onExitCodes = nothing -> spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required
spec.podFailurePolicy.rules.0.onExitCodes.operator = nothing -> spec.podFailurePolicy.rules[0].onExitCodes.operator: Required value: valid values: ["In" "NotIn"]
spec.podFailurePolicy.rules.0.onExitCodes.operator = "Bad_Value!" -> spec.podFailurePolicy.rules[0].onExitCodes.operator: Unsupported value: "Bad_Value!": supported values: "In", "NotIn"
spec.podFailurePolicy.rules.0.onExitCodes.values = nothing -> spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: null: at least one value is required
spec.podFailurePolicy.rules.0.onExitCodes.values.0 = 0 -> spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator
spec.podFailurePolicy.rules.0.onExitCodes.values.0 = 70000 -> spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [70000,2]: must be ordered
spec.podFailurePolicy.rules.0.onExitCodes.values.1 = -1 -> spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [1,-1]: must be ordered
spec.podFailurePolicy.rules.2.onExitCodes.values.0 = nothing -> spec.podFailurePolicy.rules[2].onExitCodes.values: Invalid value: []: at least one value is required
`,
  },
  {
    object: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      spec: {
        manualSelector: true,
        selector: { matchLabels: { app: 'a' } },
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'OnFailure' },
        },
      },
    },
    lines: `
spec.selector.matchLabels.app = "" -> spec.template.metadata.labels: Invalid value: {"app":"a"}: \`selector\` does not match template \`labels\`
spec.template.metadata = nothing -> spec.template.metadata.labels: Invalid value: null: \`selector\` does not match template \`labels\`
`,
  },
  {
    object: {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      spec: {
        schedule: '*/5 * * * *',
        timeZone: 'Europe/Berlin',
        startingDeadlineSeconds: 10,
        concurrencyPolicy: 'Forbid',
        suspend: true,
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 2,
        jobTemplate: {
          metadata: { labels: { j: 'k' } },
          spec: {
            parallelism: 1,
            completions: 2,
            backoffLimit: 1,
            template: {
              metadata: { labels: { app: 'a' } },
              spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'OnFailure' },
            },
          },
        },
      },
    },
    lines: `
spec.schedule = nothing -> spec.schedule: Required value
spec.schedule = "Bad_Value!" -> spec.schedule: Invalid value: "Bad_Value!": expected exactly 5 fields, found 1: [Bad_Value!]
spec.schedule = "-1" -> spec.schedule: Invalid value: "-1": expected exactly 5 fields, found 1: [-1]
spec.schedule = "other" -> spec.schedule: Invalid value: "other": expected exactly 5 fields, found 1: [other]
spec.schedule = "*" -> spec.schedule: Invalid value: "*": expected exactly 5 fields, found 1: [*]
spec.timeZone = "" -> spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string
spec.timeZone = "Bad_Value!" -> spec.timeZone: Invalid value: "Bad_Value!": unknown time zone Bad_Value!
spec.timeZone = "-1" -> spec.timeZone: Invalid value: "-1": unknown time zone -1
spec.timeZone = "other" -> spec.timeZone: Invalid value: "other": unknown time zone other
spec.timeZone = "*" -> spec.timeZone: Invalid value: "*": unknown time zone *
spec.startingDeadlineSeconds = -1 -> spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0
spec.concurrencyPolicy = "Bad_Value!" -> spec.concurrencyPolicy: Unsupported value: "Bad_Value!": supported values: "Allow", "Forbid", "Replace"
spec.successfulJobsHistoryLimit = -1 -> spec.successfulJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0
spec.failedJobsHistoryLimit = -1 -> spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0
spec.jobTemplate.spec.parallelism = -1 -> spec.jobTemplate.spec.parallelism: Invalid value: -1: must be greater than or equal to 0
spec.jobTemplate.spec.completions = -1 -> spec.jobTemplate.spec.completions: Invalid value: -1: must be greater than or equal to 0
spec.jobTemplate.spec.backoffLimit = -1 -> spec.jobTemplate.spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0
spec.jobTemplate.spec.template.spec.containers = nothing -> spec.jobTemplate.spec.template.spec.containers: Required value
spec.jobTemplate.spec.template.spec.restartPolicy = nothing -> spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"
`,
  },
  {
    object: {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        minReplicas: 2,
        maxReplicas: 5,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
          },
          {
            type: 'Pods',
            pods: {
              metric: { name: 'm', selector: { matchLabels: { a: 'b' } } },
              target: { type: 'AverageValue', averageValue: '10' },
            },
          },
          {
            type: 'Object',
            object: {
              describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' },
              metric: { name: 'm2' },
              target: { type: 'Value', value: '3' },
            },
          },
          {
            type: 'External',
            external: { metric: { name: 'm3' }, target: { type: 'Value', value: '30' } },
          },
          {
            type: 'ContainerResource',
            containerResource: {
              name: 'memory',
              container: 'c',
              target: { type: 'AverageValue', averageValue: '1Gi' },
            },
          },
        ],
        behavior: {
          scaleUp: {
            stabilizationWindowSeconds: 10,
            selectPolicy: 'Min',
            policies: [{ type: 'Pods', value: 2, periodSeconds: 30 }],
          },
          scaleDown: {
            stabilizationWindowSeconds: 300,
            policies: [{ type: 'Percent', value: 10, periodSeconds: 60 }],
          },
        },
      },
    },
    lines: `
spec.scaleTargetRef.apiVersion = nothing -> spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group
spec.scaleTargetRef.kind = nothing -> spec.scaleTargetRef.kind: Required value
spec.scaleTargetRef.name = nothing -> spec.scaleTargetRef.name: Required value
spec.minReplicas = -1 -> spec.minReplicas: Invalid value: -1: must be greater than or equal to 0
spec.minReplicas = 70000 -> spec.maxReplicas: Invalid value: 5: must be greater than or equal to \`minReplicas\`
spec.metrics.0.resource = nothing -> spec.metrics[0].resource: Required value: must populate information for the given metric source
spec.metrics.0.resource.name = nothing -> spec.metrics[0].resource.name: Required value: must specify a resource name
spec.metrics.0.resource.target.type = "Bad_Value!" -> spec.metrics[0].resource.target.type: Invalid value: "Bad_Value!": must be either Utilization, Value, or AverageValue
spec.metrics.0.resource.target.averageUtilization = -1 -> spec.metrics[0].resource.target.averageUtilization: Invalid value: -1: must be greater than 0
spec.metrics.0.resource.target.averageUtilization = 0 -> spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0
spec.metrics.1.pods = nothing -> spec.metrics[1].pods: Required value: must populate information for the given metric source
spec.metrics.1.pods.metric = nothing -> spec.metrics[1].pods.metric.name: Required value: must specify a metric name
spec.metrics.1.pods.target.type = "Bad_Value!" -> spec.metrics[1].pods.target.type: Invalid value: "Bad_Value!": must be either Utilization, Value, or AverageValue
spec.metrics.1.pods.target.averageValue = nothing -> spec.metrics[1].pods.target.averageValue: Required value: must specify a positive target averageValue
spec.metrics.1.pods.target.averageValue = "-1" -> spec.metrics[1].pods.target.averageValue: Invalid value: "-1": must be positive
spec.metrics.2.object = nothing -> spec.metrics[2].object: Required value: must populate information for the given metric source
spec.metrics.2.object.describedObject = nothing -> spec.metrics[2].object.describedObject.kind: Required value && spec.metrics[2].object.describedObject.name: Required value
spec.metrics.2.object.describedObject.kind = nothing -> spec.metrics[2].object.describedObject.kind: Required value
spec.metrics.2.object.describedObject.name = nothing -> spec.metrics[2].object.describedObject.name: Required value
spec.metrics.2.object.metric = nothing -> spec.metrics[2].object.metric.name: Required value: must specify a metric name
spec.metrics.2.object.target.type = "Bad_Value!" -> spec.metrics[2].object.target.type: Invalid value: "Bad_Value!": must be either Utilization, Value, or AverageValue
spec.metrics.2.object.target.value = nothing -> spec.metrics[2].object.target.averageValue: Required value: must set either a target value or averageValue
spec.metrics.2.object.target.value = "-1" -> spec.metrics[2].object.target.value: Invalid value: "-1": must be positive
spec.metrics.3.external = nothing -> spec.metrics[3].external: Required value: must populate information for the given metric source
spec.metrics.3.external.metric = nothing -> spec.metrics[3].external.metric.name: Required value: must specify a metric name
spec.metrics.3.external.target.type = "Bad_Value!" -> spec.metrics[3].external.target.type: Invalid value: "Bad_Value!": must be either Utilization, Value, or AverageValue
spec.metrics.3.external.target.value = nothing -> spec.metrics[3].external.target.averageValue: Required value: must set either a target value for metric or a per-pod target
spec.metrics.3.external.target.value = "-1" -> spec.metrics[3].external.target.value: Invalid value: "-1": must be positive
spec.metrics.4.containerResource = nothing -> spec.metrics[4].containerResource: Required value: must populate information for the given metric source
spec.metrics.4.containerResource.name = nothing -> spec.metrics[4].containerResource.name: Required value: must specify a resource name
spec.metrics.4.containerResource.container = nothing -> spec.metrics[4].containerResource.container: Required value: must specify a container
spec.metrics.4.containerResource.target.type = "-1" -> spec.metrics[4].containerResource.target.type: Invalid value: "-1": must be either Utilization, Value, or AverageValue
spec.metrics.4.containerResource.target.averageValue = "-1" -> spec.metrics[4].containerResource.target.averageValue: Invalid value: "-1": must be positive
spec.behavior.scaleUp.stabilizationWindowSeconds = -1 -> spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero
spec.behavior.scaleUp.stabilizationWindowSeconds = 70000 -> spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 70000: must be less than or equal to 3600
spec.behavior.scaleUp.selectPolicy = "" -> spec.behavior.scaleUp.selectPolicy: Unsupported value: "": supported values: "Disabled", "Max", "Min"
spec.behavior.scaleUp.policies.0.type = nothing -> spec.behavior.scaleUp.policies[0].type: Unsupported value: "": supported values: "Percent", "Pods"
spec.behavior.scaleUp.policies.0.value = nothing -> spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero
spec.behavior.scaleUp.policies.0.value = -1 -> spec.behavior.scaleUp.policies[0].value: Invalid value: -1: must be greater than zero
spec.behavior.scaleUp.policies.0.periodSeconds = nothing -> spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 0: must be greater than zero
spec.behavior.scaleUp.policies.0.periodSeconds = -1 -> spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: -1: must be greater than zero
spec.behavior.scaleUp.policies.0.periodSeconds = 70000 -> spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 70000: must be less than or equal to 1800
spec.behavior.scaleDown.stabilizationWindowSeconds = -1 -> spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero
spec.behavior.scaleDown.stabilizationWindowSeconds = 70000 -> spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: 70000: must be less than or equal to 3600
spec.behavior.scaleDown.policies.0.type = nothing -> spec.behavior.scaleDown.policies[0].type: Unsupported value: "": supported values: "Percent", "Pods"
spec.behavior.scaleDown.policies.0.value = nothing -> spec.behavior.scaleDown.policies[0].value: Invalid value: 0: must be greater than zero
spec.behavior.scaleDown.policies.0.value = -1 -> spec.behavior.scaleDown.policies[0].value: Invalid value: -1: must be greater than zero
spec.behavior.scaleDown.policies.0.periodSeconds = nothing -> spec.behavior.scaleDown.policies[0].periodSeconds: Invalid value: 0: must be greater than zero
spec.behavior.scaleDown.policies.0.periodSeconds = -1 -> spec.behavior.scaleDown.policies[0].periodSeconds: Invalid value: -1: must be greater than zero
spec.behavior.scaleDown.policies.0.periodSeconds = 70000 -> spec.behavior.scaleDown.policies[0].periodSeconds: Invalid value: 70000: must be less than or equal to 1800
`,
  },
  {
    object: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      spec: {
        ingressClassName: 'nginx',
        defaultBackend: { service: { name: 'svc', port: { number: 80 } } },
        tls: [{ hosts: ['a.example.com', '*.example.com'], secretName: 'sec' }],
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [
                {
                  path: '/x',
                  pathType: 'Prefix',
                  backend: { service: { name: 's2', port: { name: 'http' } } },
                },
                {
                  path: '/y',
                  pathType: 'Exact',
                  backend: { resource: { apiGroup: 'g.example.com', kind: 'K', name: 'n' } },
                },
                {
                  pathType: 'ImplementationSpecific',
                  backend: { service: { name: 's2', port: { name: 'http' } } },
                },
              ],
            },
          },
          {
            host: '*.foo.com',
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: 's3', port: { number: 8080 } } },
                },
              ],
            },
          },
        ],
      },
    },
    lines: `
spec = nothing -> spec: Invalid value: null: either \`defaultBackend\` or \`rules\` must be specified
spec.defaultBackend = {} -> spec.defaultBackend: Invalid value: "": resource or service backend is required
spec.defaultBackend.service = {} -> spec.defaultBackend.service.name: Required value && spec.defaultBackend: Required value: port name or number is required
spec.defaultBackend.service.name = nothing -> spec.defaultBackend.service.name: Required value
spec.defaultBackend.service.port = nothing -> spec.defaultBackend: Required value: port name or number is required
spec.defaultBackend.service.port.number = -1 -> spec.defaultBackend.service.port.number: Invalid value: -1: must be between 1 and 65535, inclusive
spec.defaultBackend.service.port.number = 70000 -> spec.defaultBackend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive
spec.rules.0.http = {} -> spec.rules[0].http.paths: Required value
spec.rules.0.http.paths.0 = {} -> spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified
spec.rules.0.http.paths.0.path = nothing -> spec.rules[0].http.paths[0].path: Invalid value: "": must be an absolute path
spec.rules.0.http.paths.0.pathType = "" -> spec.rules[0].http.paths[0].pathType: Unsupported value: "": supported values: "Exact", "ImplementationSpecific", "Prefix"
spec.rules.0.http.paths.0.backend = nothing -> spec.rules[0].http.paths[0].backend: Invalid value: "": resource or service backend is required
spec.rules.0.http.paths.0.backend.service.name = nothing -> spec.rules[0].http.paths[0].backend.service.name: Required value
spec.rules.0.http.paths.0.backend.service.port = nothing -> spec.rules[0].http.paths[0].backend: Required value: port name or number is required
spec.rules.0.http.paths.1.backend.resource.kind = nothing -> spec.rules[0].http.paths[1].backend.resource.kind: Required value
spec.rules.0.http.paths.1.backend.resource.name = nothing -> spec.rules[0].http.paths[1].backend.resource.name: Required value
spec.rules.1.http.paths.0.backend.service.port.number = -1 -> spec.rules[1].http.paths[0].backend.service.port.number: Invalid value: -1: must be between 1 and 65535, inclusive
spec.rules.1.http.paths.0.backend.service.port.number = 70000 -> spec.rules[1].http.paths[0].backend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive
`,
  },
  {
    object: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      spec: {
        controller: 'example.com/ctl',
        parameters: {
          apiGroup: 'g.example.com',
          kind: 'K',
          name: 'n',
          scope: 'Namespace',
          namespace: 'ns',
        },
      },
    },
    lines: `
spec = nothing -> spec.controller: Required value
spec.controller = "Bad_Value!" -> spec.controller: Invalid value: "Bad_Value!": must be a domain-prefixed path (such as "acme.io/foo")
spec.parameters = {} -> spec.parameters.kind: Required value && spec.parameters.name: Required value
spec.parameters.kind = nothing -> spec.parameters.kind: Required value
spec.parameters.name = nothing -> spec.parameters.name: Required value
spec.parameters.scope = nothing -> spec.parameters.namespace: Forbidden: \`parameters.scope\` is set to 'Cluster'
spec.parameters.scope = "" -> spec.parameters.scope: Unsupported value: "": supported values: "Cluster", "Namespace"
spec.parameters.namespace = nothing -> spec.parameters.namespace: Required value: \`parameters.scope\` is set to 'Namespace'
`,
  },
  {
    object: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      spec: {
        podSelector: { matchLabels: { a: 'b' } },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          {
            ports: [{ protocol: 'TCP', port: 80, endPort: 90 }, { port: 'http' }],
            from: [
              {
                podSelector: { matchLabels: { c: 'd' } },
                namespaceSelector: { matchExpressions: [{ key: 'k', operator: 'Exists' }] },
              },
              { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16', '10.2.0.0/16'] } },
            ],
          },
        ],
        egress: [
          {
            ports: [{ protocol: 'UDP', port: 53 }],
            to: [{ ipBlock: { cidr: '2001:db8::/32', except: ['2001:db8:1::/48'] } }],
          },
        ],
      },
    },
    lines: `
spec.policyTypes.0 = "" -> spec.policyTypes[0]: Unsupported value: "": supported values: "Ingress", "Egress"
spec.ingress.0.ports.0.protocol = "" -> spec.ingress[0].ports[0].protocol: Unsupported value: "": supported values: "TCP", "UDP", "SCTP"
spec.ingress.0.ports.0.port = nothing -> spec.ingress[0].ports[0].endPort: Invalid value: 90: may not be specified when \`port\` is not specified
spec.ingress.0.ports.0.port = -1 -> spec.ingress[0].ports[0].port: Invalid value: -1: must be between 1 and 65535, inclusive
spec.ingress.0.ports.0.port = 0 -> spec.ingress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive
spec.ingress.0.ports.0.endPort = 70000 -> spec.ingress[0].ports[0].endPort: Invalid value: 70000: must be between 1 and 65535, inclusive
spec.ingress.0.from.0 = {} -> spec.ingress[0].from[0]: Required value: must specify a peer
spec.ingress.0.from.0.namespaceSelector.matchExpressions.0.operator = nothing -> spec.ingress[0].from[0].namespaceSelector.matchExpressions[0].operator: Invalid value: "": not a valid selector operator
spec.ingress.0.from.1.ipBlock = {} -> spec.ingress[0].from[1].ipBlock.cidr: Required value
spec.ingress.0.from.1.ipBlock.cidr = "-1" -> spec.ingress[0].from[1].ipBlock.cidr: Invalid value: "-1": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)
spec.ingress.0.from.1.ipBlock.except.0 = "" -> spec.ingress[0].from[1].ipBlock.except[0]: Invalid value: "": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)
spec.egress.0.ports.0.protocol = "" -> spec.egress[0].ports[0].protocol: Unsupported value: "": supported values: "TCP", "UDP", "SCTP"
spec.egress.0.ports.0.port = -1 -> spec.egress[0].ports[0].port: Invalid value: -1: must be between 1 and 65535, inclusive
spec.egress.0.ports.0.port = 0 -> spec.egress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive
spec.egress.0.to.0 = {} -> spec.egress[0].to[0]: Required value: must specify a peer
spec.egress.0.to.0.ipBlock = {} -> spec.egress[0].to[0].ipBlock.cidr: Required value
spec.egress.0.to.0.ipBlock.cidr = "-1" -> spec.egress[0].to[0].ipBlock.cidr: Invalid value: "-1": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)
spec.egress.0.to.0.ipBlock.except.0 = "" -> spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)
`,
  },
  {
    object: {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      spec: {
        minAvailable: '20%',
        selector: { matchLabels: { a: 'b' } },
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
      },
    },
    lines: `
spec.unhealthyPodEvictionPolicy = "" -> spec.unhealthyPodEvictionPolicy: Unsupported value: "": supported values: "AlwaysAllow", "IfHealthyBudget"
`,
  },
  {
    object: {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      spec: {
        holderIdentity: 'h',
        leaseDurationSeconds: 10,
        leaseTransitions: 1,
        acquireTime: '2024-01-01T00:00:00.000000Z',
        renewTime: '2024-01-01T00:00:00.123456Z',
        strategy: 'OldestEmulationVersion',
        preferredHolder: 'p',
      },
    },
    lines: `
spec.leaseDurationSeconds = -1 -> spec.leaseDurationSeconds: Invalid value: -1: must be greater than 0
spec.leaseDurationSeconds = 0 -> spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0
spec.leaseTransitions = -1 -> spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0
`,
  },
  {
    object: {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['10.0.0.1'],
          conditions: { ready: true, serving: true, terminating: false },
          hostname: 'h',
          nodeName: 'n',
          zone: 'z',
          hints: { forZones: [{ name: 'z' }], forNodes: [{ name: 'n1' }] },
          targetRef: { kind: 'Pod', name: 'p', namespace: 'default' },
          deprecatedTopology: { k: 'v' },
        },
      ],
      ports: [
        { name: 'http', protocol: 'TCP', port: 80, appProtocol: 'http' },
        { name: 'dns', protocol: 'UDP', port: 53 },
      ],
    },
    lines: `
addressType = nothing -> addressType: Required value
addressType = "Bad_Value!" -> addressType: Unsupported value: "Bad_Value!": supported values: "FQDN", "IPv4", "IPv6"
endpoints.0 = {} -> endpoints[0].addresses: Required value
endpoints.0.addresses.0 = "" -> endpoints[0].addresses[0]: Invalid value: "": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)
ports.0.protocol = "" -> ports[0].protocol: Unsupported value: "": supported values: "SCTP", "TCP", "UDP"
`,
  },
  {
    object: {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      addressType: 'FQDN',
      endpoints: [{ addresses: ['a.example.com'] }],
      ports: [],
    },
    lines: `
endpoints.0.addresses.0 = "" -> endpoints[0].addresses[0]: Required value
endpoints.0.addresses.0 = "other" -> endpoints[0].addresses[0]: Invalid value: "other": should be a domain with at least two segments separated by dots
`,
  },
  {
    object: {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      eventTime: '2024-01-01T00:00:00.000000Z',
      series: { count: 2, lastObservedTime: '2024-01-01T00:00:00.000000Z' },
      reportingController: 'example.com/c',
      reportingInstance: 'i',
      action: 'a',
      reason: 'r',
      regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
      related: { kind: 'Pod', name: 'q' },
      note: 'n',
      type: 'Normal',
    },
    lines: `
eventTime = nothing -> eventTime: Required value
series = {} -> series.count: Invalid value: "": should be at least 2 && series.lastObservedTime: Required value
series.count = nothing -> series.count: Invalid value: "": should be at least 2
series.lastObservedTime = nothing -> series.lastObservedTime: Required value
reportingInstance = nothing -> reportingInstance: Required value
action = nothing -> action: Required value
reason = nothing -> reason: Required value
type = nothing -> type: Invalid value: "": has invalid value: 
type = "Bad_Value!" -> type: Invalid value: "": has invalid value: Bad_Value!
type = "-1" -> type: Invalid value: "": has invalid value: -1
type = "other" -> type: Invalid value: "": has invalid value: other
type = "*" -> type: Invalid value: "": has invalid value: *
`,
  },
  {
    object: {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      value: 1000,
      globalDefault: false,
      description: 'd',
      preemptionPolicy: 'Never',
    },
    lines: `
value = 2000000001 -> value: Forbidden: maximum allowed value of a user defined priority is 1000000000
preemptionPolicy = "" -> preemptionPolicy: Required value
preemptionPolicy = "Bad_Value!" -> preemptionPolicy: Unsupported value: "Bad_Value!": supported values: "PreemptLowerPriority", "Never"
`,
  },
  {
    object: {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      provisioner: 'example.com/p',
      parameters: { a: 'b' },
      reclaimPolicy: 'Retain',
      mountOptions: ['ro'],
      allowVolumeExpansion: true,
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'k', values: ['a', 'b'] }] }],
    },
    lines: `
provisioner = nothing -> provisioner: Required value
reclaimPolicy = "Bad_Value!" -> reclaimPolicy: Unsupported value: "Bad_Value!": supported values: "Delete", "Retain"
volumeBindingMode = "" -> volumeBindingMode: Unsupported value: "": supported values: "Immediate", "WaitForFirstConsumer"
allowedTopologies.0 = {} -> allowedTopologies[0].matchLabelExpressions: Duplicate value: ""
allowedTopologies.0.matchLabelExpressions.0.values = nothing -> allowedTopologies[0].matchLabelExpressions[0].values: Required value
`,
  },
]
