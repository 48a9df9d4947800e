/** What the configuration of a virtual cluster says that says nothing: `context.vcluster.config` has all of it. What decides
 *  of syncing stands in `syncConfig.ts` and wins over this. Sizes, images and everything else that depends on a release is
 *  left out. Source: specification, "Expression helpers"; platform facts 6.1. */
export const contextDefaults = {
  sync: {
    toHost: {
      pods: {
        enabled: true,
        translateImage: {},
        enforceTolerations: [],
        useSecretsForSATokens: false,
        patches: [],
      },
      persistentVolumeClaims: { enabled: true, patches: [] },
      secrets: { all: false, patches: [] },
      configMaps: { all: false, patches: [] },
      ...switchedOff([
        ...['ingresses', 'priorityClasses', 'networkPolicies', 'volumeSnapshots'],
        ...['volumeSnapshotContents', 'podDisruptionBudgets', 'serviceAccounts'],
        ...['storageClasses', 'persistentVolumes'],
      ]),
      customResources: {},
    },
    fromHost: {
      events: { enabled: true, patches: [] },
      ...Object.fromEntries(
        ['csiDrivers', 'csiNodes', 'csiStorageCapacities', 'storageClasses'].map((name) => [
          name,
          { enabled: 'auto', patches: [] },
        ]),
      ),
      nodes: {
        enabled: false,
        syncBackChanges: false,
        clearImageStatus: false,
        selector: { all: false, labels: {} },
        patches: [],
      },
      ...switchedOff([
        ...['ingressClasses', 'runtimeClasses', 'priorityClasses', 'volumeSnapshotClasses'],
      ]),
      configMaps: { enabled: false, patches: [], mappings: { byName: {} } },
      secrets: { enabled: false, patches: [], mappings: { byName: {} } },
      customResources: {},
    },
  },
  networking: {
    replicateServices: { toHost: [], fromHost: [] },
    resolveDNS: [],
    advanced: {
      clusterDomain: 'cluster.local',
      fallbackHostCluster: false,
      proxyKubelets: { byHostname: true, byIP: true },
    },
  },
  policies: {
    resourceQuota: { enabled: 'auto' },
    limitRange: { enabled: 'auto' },
    networkPolicy: { enabled: false },
    centralAdmission: { validatingWebhooks: [], mutatingWebhooks: [] },
  },
  integrations: {},
  plugins: {},
  experimental: {},
}

function switchedOff(names: readonly string[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { enabled: false, patches: [] }]))
}

/** The sections that `sync.toHost` may have. */
export const toHostSections: readonly string[] = [
  ...Object.keys(contextDefaults.sync.toHost),
  ...['services', 'endpoints', 'endpointSlices', 'namespaces'],
  ...['resourceClaims', 'resourceClaimTemplates'],
]
