/**
 * Defaults of a virtual cluster's configuration, as contained in `context.vcluster.config`. Defaults that affect
 * syncing are in `syncConfig.ts` and take precedence. Sizes, images and other values that depend on a release are
 * omitted. Source: specification, "Expression helpers"; platform facts 6.1.
 */
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

/** Valid sections of `sync.toHost`. */
export const toHostSections: readonly string[] = [
  ...Object.keys(contextDefaults.sync.toHost),
  ...['services', 'endpoints', 'endpointSlices', 'namespaces'],
  ...['resourceClaims', 'resourceClaimTemplates'],
]
