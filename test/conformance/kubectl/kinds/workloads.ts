import { expect } from 'chai'
import { columns } from '../../support/columns.ts'
import type { KubectlScenario } from '../fixtures.ts'
import type { KubectlContext } from '../kubectlContext.ts'

/** Create commands and their output. */
const creations: readonly { command: string; made: string }[] = [
  { command: 'deployment one --image=image.test/main:1 --replicas=2', made: 'deployment.apps/one' },
  { command: 'job one --image=image.test/main:1 -- work', made: 'job.batch/one' },
  {
    command: "cronjob one --image=image.test/main:1 --schedule='*/5 * * * *'",
    made: 'cronjob.batch/one',
  },
  { command: 'job two --from=cronjob/one', made: 'job.batch/two' },
  {
    command: 'ingress one --rule=host.test/*=one:80',
    made: 'ingress.networking.k8s.io/one',
  },
  { command: 'quota one --hard=pods=5', made: 'resourcequota/one' },
  {
    command: 'poddisruptionbudget one --selector=app=one --min-available=1',
    made: 'poddisruptionbudget.policy/one',
  },
  { command: 'serviceaccount one', made: 'serviceaccount/one' },
  {
    command: 'role one --verb=get --resource=pods,deployments',
    made: 'role.rbac.authorization.k8s.io/one',
  },
  {
    command: 'rolebinding one --role=one --user=somebody',
    made: 'rolebinding.rbac.authorization.k8s.io/one',
  },
  { command: 'service nodeport one --tcp=80:8080', made: 'service/one' },
  { command: 'service loadbalancer two --tcp=80:8080', made: 'service/two' },
]

async function deployment({ kubectl }: KubectlContext): Promise<void> {
  await kubectl.ok('create deployment one --image=image.test/main:1')
}

const at = (path: string) => `get deploy one -o jsonpath={${path}}`

export const workloadScenarios: readonly KubectlScenario[] = [
  {
    name: 'create makes each kind that it has a subcommand for',
    run: async ({ kubectl }) => {
      for (const { command, made } of creations) {
        expect(await kubectl.ok(`create ${command}`), command).to.equal(`${made} created\n`)
      }
    },
  },
  {
    name: 'create makes a priority class, a cluster role and its binding',
    run: async ({ kubectl, namespace }) => {
      const commands = {
        priorityclass: '--value=1000',
        clusterrole: '--verb=get --resource=nodes',
        clusterrolebinding: '--clusterrole=view --user=somebody',
      }
      for (const [kind, flags] of Object.entries(commands)) {
        const said = await kubectl.ok(`create ${kind} ${namespace} ${flags}`)
        expect(said).to.match(new RegExp(`^${kind}\\.[.\\w]+\\.k8s\\.io/${namespace} created\\n$`))
        await kubectl.ok(`delete ${kind} ${namespace}`)
      }
    },
  },
  {
    name: 'get all lists the kinds of that category',
    run: async (context) => {
      const { kubectl } = context
      await deployment(context)
      await kubectl.ok('run two --image=image.test/main:1')
      await kubectl.ok('create service clusterip three --tcp=80')
      const names = (await kubectl.ok('get all -o name')).trimEnd().split('\n')
      expect(names.sort()).to.deep.equal(['deployment.apps/one', 'pod/two', 'service/three'])
      expect(columns(await kubectl.ok('get deploy'))).to.deep.equal([
        'NAME | READY | UP-TO-DATE | AVAILABLE | AGE',
        'one | 0/1 | 0 | 0 | <age>',
      ])
      expect(columns(await kubectl.ok('get pods'))).to.deep.equal([
        'NAME | READY | STATUS | RESTARTS | AGE',
        'two | 0/1 | Pending | 0 | <age>',
      ])
    },
  },
  {
    name: 'scale sets the replicas, and keeps to --current-replicas',
    run: async (context) => {
      const { kubectl } = context
      await deployment(context)
      expect(await kubectl.ok('scale deploy/one --replicas=3')).to.equal(
        'deployment.apps/one scaled\n',
      )
      expect(await kubectl.ok(at('.spec.replicas'))).to.equal('3')
      expect(await kubectl.fails('scale deploy/one --current-replicas=1 --replicas=4')).to.contain(
        'Expected replicas to be 1, was 3',
      )
      await kubectl.ok('autoscale deploy/one --min=1 --max=5 --cpu-percent=80')
      const target = 'get hpa one -o jsonpath={.spec.scaleTargetRef.kind}'
      expect(await kubectl.ok(target)).to.equal('Deployment')
    },
  },
  {
    name: 'set image, set env and set resources change the template',
    run: async (context) => {
      const { kubectl } = context
      await deployment(context)
      expect(await kubectl.ok('set image deploy/one main=image.test/main:2')).to.equal(
        'deployment.apps/one image updated\n',
      )
      await kubectl.ok('set env deploy/one A=b')
      await kubectl.ok('set resources deploy/one --limits=cpu=200m')
      const container = JSON.parse(
        await kubectl.ok(at('.spec.template.spec.containers[0]')),
      ) as Record<string, unknown>
      expect(container).to.deep.include({
        image: 'image.test/main:2',
        env: [{ name: 'A', value: 'b' }],
        resources: { limits: { cpu: '200m' } },
      })
      expect(await kubectl.ok(at('.metadata.generation'))).to.equal('4')
    },
  },
  {
    name: 'expose makes a service of the selector',
    run: async (context) => {
      const { kubectl } = context
      await deployment(context)
      expect(await kubectl.ok('expose deploy/one --port=80 --target-port=8080')).to.equal(
        'service/one exposed\n',
      )
      const selector = await kubectl.ok('get svc one -o jsonpath={.spec.selector}')
      expect(JSON.parse(selector)).to.deep.equal({ app: 'one' })
    },
  },
  {
    name: 'exec, attach and port-forward of a pod without a node are refused, its log is empty',
    run: async ({ kubectl }) => {
      expect(await kubectl.ok('run one --image=image.test/main:1')).to.equal('pod/one created\n')
      expect(await kubectl.ok('logs one')).to.equal('')
      const refusal =
        kubectl.minor < 36
          ? 'Error from server (BadRequest):'
          : 'error: unable to upgrade connection:'
      for (const command of ['exec one -- ls', 'attach one']) {
        expect(await kubectl.fails(command), command).to.contain(
          `${refusal} pod one does not have a host assigned`,
        )
      }
      expect(await kubectl.fails('port-forward one 80')).to.contain('pod is not running')
      await kubectl.ok('delete pod one')
    },
  },
]
