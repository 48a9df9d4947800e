import { post } from '../../call.ts'
import { send } from '../../side.ts'
import type { Part } from '../part.ts'
import { compareCall } from '../servers/servers.ts'
import { securityPods } from './securityPods.ts'

const levels = ['baseline', 'restricted'] as const
const newest = 37
/** Versions of the standards: every version, some that do not exist, and the name of the newest. */
const versions = [...Array.from({ length: newest + 3 }, (_one, minor) => `v1.${minor}`), 'latest']
const group = 'pod-security.kubernetes.io'

/**
 * Pods for each check of the standards, under each level and version: the refusal lists all
 * violations.
 */
export const securityPart: Part = {
  name: 'pod-security',
  setup: { admission: { disabled: ['ServiceAccount'] } },
  titles: [],
  run: async ({ servers, found, goesOn }) => {
    let count = 0
    for (const level of levels) {
      for (const version of versions) {
        const name = `${level}-${version.replace('.', '-')}`
        const labels = { [`${group}/enforce`]: level, [`${group}/enforce-version`]: version }
        const space = post('/api/v1/namespaces', { metadata: { name, labels } })
        await Promise.all([send(servers.ours, space), send(servers.real, space)])
        for (const [title, { spec, annotations }] of Object.entries(securityPods)) {
          if (!goesOn(count)) return count
          const call = post(`/api/v1/namespaces/${name}/pods?dryRun=All`, {
            ...{ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p', annotations }, spec },
          })
          const differences = await compareCall(servers, call)
          count++
          if (differences.length > 0)
            found({ title: `pod-security ${title}`, calls: [call], differences })
        }
      }
    }
    return count
  },
}
