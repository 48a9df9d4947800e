import { client, type Client } from '../support/scenario.ts'
import { findOnPath } from '../support/kubectlBinaries.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { ExampleProjects } from './exampleProjects.ts'

/** The projects of `examples/` whose languages this machine has; the client `envtest` runs the one in Go. */
export function examplesClient(around: Surroundings): Client {
  return client({
    name: 'examples',
    scenarios: [
      {
        name: 'the typescript project passes its tests',
        run: (projects: ExampleProjects) => projects.typescript(),
      },
      {
        name: 'the python project passes its tests',
        skip: (projects) => missing('python3') ?? projects.pythonUnavailable(),
        run: (projects) => projects.python(),
      },
      {
        name: 'the java project passes its tests',
        skip: (projects) => missing('java', 'mvn') ?? projects.javaUnavailable(),
        run: (projects) => projects.java(),
      },
      {
        name: 'the C# project passes its tests',
        skip: () => {
          const noDotnet = missing('dotnet')
          return noDotnet && missing('mcs', 'mono') && `${noDotnet}, nor mcs and mono`
        },
        run: (projects) => projects.csharp(),
      },
      {
        name: 'the shell project passes its tests',
        skip: () => missing('kubectl', 'curl', 'mkfifo'),
        run: (projects) => projects.shell(),
      },
    ],
    open: async () => new ExampleProjects(around),
    close: async () => undefined,
  })
}

/** Names the programs that are not on PATH; undefined: all are. */
function missing(...programs: string[]): string | undefined {
  const absent = programs.filter((program) => findOnPath(program) === undefined)
  return absent.length === 0 ? undefined : `no ${absent.join(', ')} on PATH`
}
