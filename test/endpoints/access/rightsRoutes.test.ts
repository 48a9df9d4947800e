import { expect } from 'chai'
import { rightsTable } from '../../../apiserver/apis/management/rightsTable.ts'
import { isObject } from '../../../apiserver/meta/json/isObject.ts'
import type { Answer, HttpClient } from '../support/httpClient.ts'
import { attackedElsewhere, attacks, ignored, type Attack } from '../support/routeAttacks.ts'
import { management, openBob, users, useTestServer } from '../support/testServer.ts'

type Fields = Record<string, unknown>

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const namespaced = [
  ...['virtualclusterinstances', 'spaceinstances', 'sharedsecrets', 'projectsecrets'],
]
const kinds: Record<string, string> = {
  users: 'User',
  teams: 'Team',
  ownedaccesskeys: 'OwnedAccessKey',
  projects: 'Project',
  clusters: 'Cluster',
  virtualclusterinstances: 'VirtualClusterInstance',
  spaceinstances: 'SpaceInstance',
  virtualclustertemplates: 'VirtualClusterTemplate',
  spacetemplates: 'SpaceTemplate',
  sharedsecrets: 'SharedSecret',
  projectsecrets: 'ProjectSecret',
}

const path = (plural: string): string => {
  if (!namespaced.includes(plural)) return `${management}/${plural}`
  const namespace = plural === 'sharedsecrets' ? 'default' : 'p-boss'
  return `${management}/namespaces/${namespace}/${plural}`
}

/** `base` merged with `update`; lists are replaced. */
function merged(base: unknown, update: unknown): unknown {
  if (!isObject(base) || !isObject(update)) return update
  const names = new Set([...Object.keys(base), ...Object.keys(update)])
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      name in update ? merged(base[name], update[name]) : base[name],
    ]),
  )
}

/**
 * Creates Mallory, who may create, update and patch every kind of the platform, and has no other
 * right.
 */
describe('a user who may write platform objects', function () {
  this.timeout(60_000)
  const server = useTestServer()
  let mallory: HttpClient
  let made = 0

  const as = (plural: string, object: Fields): Fields => ({
    apiVersion: 'management.platform/v1',
    kind: kinds[plural],
    ...object,
  })
  const bind = (name: string, subject: Fields, role: string) =>
    server().admin.post(`${rbac}/clusterrolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', ...subject }],
    })

  before(async () => {
    const { admin } = server()
    await admin.post(`${rbac}/clusterroles`, {
      metadata: { name: 'writer' },
      rules: [
        {
          verbs: ['create', 'update', 'patch'],
          apiGroups: ['management.platform'],
          resources: Object.keys(kinds).flatMap((plural) => [plural, `${plural}/status`]),
        },
      ],
    })
    await bind('mallory', { kind: 'User', name: 'mallory' }, 'writer')
    await bind('bound', { kind: 'User', name: 'bound' }, 'cluster-admin')
    await bind('bound-group', { kind: 'Group', name: 'bound-group' }, 'cluster-admin')
    await bind('bound-team', { kind: 'Group', name: 'platform:team:bound' }, 'cluster-admin')
    mallory = await openBob(server(), 'mallory')
    await admin.post(users, {
      metadata: { name: 'victim' },
      spec: { username: 'victim', email: 'victim@corp.test', subject: 'victim-subject' },
    })
    const specs: Record<string, Fields> = {
      users: { groups: ['system:masters'], tokenGeneration: 5 },
      ownedaccesskeys: { user: 'boss' },
      projects: { requireTemplate: { disabled: true } },
    }
    for (const plural of Object.keys(kinds)) {
      const object = { metadata: { name: 'boss' }, spec: specs[plural] ?? {} }
      const answer = await admin.post(path(plural), object)
      expect(answer.status, `${plural}: ${answer.text}`).to.equal(201)
    }
  })

  const updates = (plural: string, name: string, update: Fields, below = '') => {
    const url = `${path(plural)}/${name}${below}`
    return {
      'merge patch': () => mallory.patch(url, 'merge-patch+json', update),
      'JSON patch': () => mallory.patch(url, 'json-patch+json', operations(update)),
      'server-side apply': () =>
        mallory.patch(
          `${url}?fieldManager=mallory&force=true`,
          'apply-patch+yaml',
          merged(as(plural, { metadata: { name } }), update) as Fields,
        ),
      PUT: async () => {
        const { json } = await server().admin.get(`${path(plural)}/${name}`)
        return mallory.call(url, { method: 'PUT', body: merged(json, update) as Fields })
      },
    }
  }
  /**
   * Patch of the members of spec, status, labels and annotations, which are created if they are
   * missing.
   */
  function operations(update: Fields): Fields[] {
    const ops: Fields[] = []
    const walk = (value: Fields, at: string, depth: number) => {
      for (const [name, member] of Object.entries(value)) {
        const below = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
        if (depth > 0 && isObject(member)) walk(member, below, depth - 1)
        else ops.push({ op: 'add', path: below, value: member })
      }
    }
    walk(update, '', 1)
    return ops
  }
  const creates = (plural: string, fields: Fields) => {
    const { name: given } = (fields['metadata'] ?? {}) as { name?: string }
    const name = given ?? `made-${++made}`
    const object = merged(as(plural, { metadata: { name } }), fields) as Fields
    const { name: _, ...metadata } = object['metadata'] as Fields
    const url = `${path(plural)}/${name}`
    return {
      POST: () => mallory.post(path(plural), object),
      'POST as a dry run': () => mallory.post(`${path(plural)}?dryRun=All`, object),
      'PUT to a new name': () => mallory.call(url, { method: 'PUT', body: object }),
      'server-side apply to a new name': () =>
        mallory.patch(`${url}?fieldManager=mallory`, 'apply-patch+yaml', object),
      ...('name' in ((fields['metadata'] ?? {}) as Fields)
        ? {}
        : {
            'POST with generateName': () =>
              mallory.post(path(plural), {
                ...object,
                metadata: { ...metadata, generateName: 'made-' },
              }),
          }),
    }
  }
  const shown = ({ status, text }: Answer): string => `${status} ${text}`

  async function refused(ways: Record<string, () => Promise<Answer>>, code: number): Promise<void> {
    for (const [way, act] of Object.entries(ways)) {
      expect(shown(await act()), way).to.match(new RegExp(`^${code} `))
    }
  }

  for (const [plural, routes] of Object.entries(attacks)) {
    for (const [field, attack] of Object.entries<Attack>(routes)) {
      const { update, create = update, target = 'boss', code = 403 } = attack
      it(`gains nothing by ${field} of ${plural}`, async () => {
        if (target === 'mallory' && update !== undefined) {
          const own = await mallory.post(path(plural), as(plural, { metadata: { name: 'own' } }))
          expect(own.status).to.be.oneOf([201, 409])
          await refused(updates(plural, 'own', update), code)
        } else if (update !== undefined) await refused(updates(plural, target, update), code)
        if (create !== 'none' && create !== undefined) await refused(creates(plural, create), code)
      })
    }
  }

  for (const [plural, routes] of Object.entries(ignored)) {
    for (const [field, { update, subresource }] of Object.entries(routes)) {
      it(`cannot set ${field} of ${plural}, which the server sets`, async () => {
        const name = plural === 'ownedaccesskeys' ? 'own' : 'boss'
        const state = async () => {
          const { json } = await server().admin.get(`${path(plural)}/${name}`)
          const { metadata, ...rest } = json as Fields
          const { annotations, ownerReferences } = metadata as Fields
          const references = (ownerReferences ?? []) as Fields[]
          const controllers = references.filter(({ controller }) => controller === true)
          return { ...rest, annotations, controllers }
        }
        const before = await state()
        for (const [way, act] of Object.entries(updates(plural, name, update, subresource))) {
          const { status } = await act()
          expect(status, way).to.be.oneOf([200, 201])
          expect(await state(), way).to.deep.equal(before)
        }
      })
    }
  }

  it('is tested along every route in the table', () => {
    const listed = Object.entries(rightsTable).flatMap(([plural, routes]) =>
      Object.entries(routes).map(([field, guards]) => ({ plural, field, guards })),
    )
    const missing = listed.filter(({ plural, field, guards }) => {
      if (attackedElsewhere[`${plural} ${field}`] !== undefined) return false
      const tried = guards.includes('server') ? ignored : attacks
      return tried[plural]?.[field] === undefined
    })
    expect(missing).to.deep.equal([])
  })
})
