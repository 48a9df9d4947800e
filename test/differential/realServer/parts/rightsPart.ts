import type { SeededRandom } from '../../../conformance/crash/seededRandom.ts'
import { get, patch, post, put, remove, type Call, type Case } from '../../call.ts'
import { authorizedLater } from '../servers/authorizedLater.ts'
import { compareCase } from '../compareCase.ts'
import type { Part } from '../part.ts'
import { shrink } from '../shrink.ts'

const roleCount = 4
const askedCount = 14

/**
 * Random roles and bindings, and the resulting rights of users: reviewed, used, and granted to
 * others.
 */
export const rightsPart: Part = {
  name: 'rights',
  titles: [],
  run: async ({ servers, random, goesOn, found }) => {
    const afterCall = authorizedLater()
    const find = (given: Case) => compareCase(servers, given, afterCall)
    let count = 0
    while (goesOn(count)) {
      const draw = new Draw(random)
      const granted = Array.from({ length: roleCount }, (_, at) => draw.grant(at)).flat()
      const asked = Array.from({ length: askedCount }, () => draw.ask())
      const given: Case = { name: 'rights', steps: [...granted, ...asked] }
      const finding = await find(given)
      if (finding !== undefined) found(await shrink(given, finding, find))
      count += given.steps.length
    }
    return count
  },
}

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const authorization = '/apis/authorization.k8s.io/v1'
const inNamespace = '/namespaces/{ns}'
const apiGroup = 'rbac.authorization.k8s.io'

class Draw {
  readonly #random: SeededRandom

  constructor(random: SeededRandom) {
    this.#random = random
  }

  /** Role and its binding, created by the administrator. */
  grant(at: number): Call[] {
    // Cluster-scoped objects outlive the case, so their subjects are unique to this case.
    const roles = `${rbac}${inNamespace}/roles`
    const bindings = `${rbac}${inNamespace}/rolebindings`
    const roleRef = { apiGroup, kind: 'Role', name: this.#pick(`r${at}`, `r${at}`, 'missing') }
    return [
      post(roles, { metadata: { name: `r${at}` }, rules: [this.#rule(), this.#rule()] }),
      post(bindings, { metadata: { name: `b${at}` }, roleRef, subjects: [this.#subject()] }),
    ]
  }

  /** Review of rights, or a request that needs one. */
  ask(): Call {
    const headers = this.#user()
    const spec = { resourceAttributes: this.#attributes() }
    const whole = {
      ...spec,
      user: this.#pick('alice', 'carl'),
      groups: [this.#pick('devs', 'ops')],
    }
    return this.#pick<Call>(
      post(`${authorization}/subjectaccessreviews`, { spec: whole }),
      post(`${authorization}/selfsubjectaccessreviews`, { spec }, headers),
      post(`${authorization}/selfsubjectrulesreviews`, { spec: { namespace: '{ns}' } }, headers),
      this.#read(headers),
      this.#read(headers),
      this.#write(headers),
      this.#write(headers),
      this.#grantOn(headers),
      this.#grantOn(headers),
    )
  }

  #pick<T>(...from: readonly [T, ...T[]]): T {
    // The index is below the length.
    return from[this.#random.between(0, from.length)] as T
  }

  #user(): Record<string, string> {
    const name = this.#pick('alice', 'carl')
    const group = this.#pick('devs', 'ops')
    return { 'impersonate-user': name, 'impersonate-group': group }
  }

  #subject(): object {
    return this.#pick<object>(
      { apiGroup, kind: 'User', name: this.#pick('alice', 'carl') },
      { apiGroup, kind: 'Group', name: this.#pick('devs', 'ops') },
      { kind: 'ServiceAccount', name: 'default', namespace: '{ns}' },
    )
  }

  #verb = () =>
    this.#pick(
      'get',
      'list',
      'watch',
      'create',
      'update',
      'patch',
      'delete',
      'deletecollection',
      '*',
    )
  #group = () => this.#pick('', '', 'apps', apiGroup, '*')
  #resource = () =>
    this.#pick('secrets', 'configmaps', 'deployments', 'deployments/scale', '*/scale', 'roles', '*')

  #rule(): object {
    const named = this.#pick<object>({}, {}, { resourceNames: [this.#pick('a', 'r0')] })
    const special = {
      verbs: [this.#pick('bind', 'escalate')],
      apiGroups: [apiGroup],
      resources: ['roles'],
    }
    const common = {
      verbs: [this.#verb(), this.#verb()],
      apiGroups: [this.#group()],
      resources: [this.#resource()],
      ...named,
    }
    return this.#pick<object>(common, common, common, special)
  }

  #attributes(): object {
    const named = this.#pick<object>({}, { name: 'a' })
    const whole = { verb: this.#verb(), group: this.#group(), resource: this.#resource(), ...named }
    return { ...whole, namespace: this.#pick('{ns}', '{ns}', 'default', '') }
  }

  #read(headers: Record<string, string>): Call {
    const path = this.#pick(
      '/api/v1/namespaces/{ns}/secrets',
      '/api/v1/namespaces/{ns}/secrets/a',
      '/api/v1/secrets',
      '/apis/apps/v1/namespaces/{ns}/deployments',
      '/apis/apps/v1/namespaces/{ns}/deployments/a/scale',
      `${rbac}${inNamespace}/roles/r0`,
      '/healthz',
      '/metrics',
      '/nothing/of/this',
      '/apis/none.example.com/v1/things',
    )
    return get(path, headers)
  }

  #write(headers: Record<string, string>): Call {
    const path = '/api/v1/namespaces/{ns}/configmaps'
    const merge = { ...headers, 'content-type': 'application/merge-patch+json' }
    const apply = { ...headers, 'content-type': 'application/apply-patch+yaml' }
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
    return this.#pick<Call>(
      post(path, object, headers),
      put(`${path}/a`, object, headers),
      patch(`${path}/a`, { data: { a: 'b' } }, merge),
      patch(`${path}/a?fieldManager=m`, object, apply),
      { ...remove(`${path}/a`), headers },
      { ...remove(`${path}?labelSelector=x`), headers },
    )
  }

  /** User who grants rights to others. */
  #grantOn(headers: Record<string, string>): Call {
    const subjects = [this.#subject()]
    const roleRef = {
      apiGroup,
      kind: this.#pick('Role', 'ClusterRole'),
      name: this.#pick('r0', 'view'),
    }
    const role = { metadata: { name: 'mine' }, rules: [this.#rule()] }
    return this.#pick<Call>(
      post(`${rbac}${inNamespace}/roles`, role, headers),
      put(`${rbac}${inNamespace}/roles/r0`, { ...role, metadata: { name: 'r0' } }, headers),
      post(
        `${rbac}${inNamespace}/rolebindings`,
        { metadata: { name: 'mine' }, roleRef, subjects },
        headers,
      ),
    )
  }
}
