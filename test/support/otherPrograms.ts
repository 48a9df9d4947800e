import type { Surroundings } from '../../apiserver/command/command.ts'

/** Programs besides the server, which a test of the command line does not start. */
export const otherPrograms: Pick<Surroundings, 'runKubeApiserver' | 'writeEnvtest' | 'examine'> = {
  runKubeApiserver: () => Promise.reject(new Error('not started')),
  examine: () => Promise.reject(new Error('not examined')),
  writeEnvtest: () => Promise.reject(new Error('not written')),
}
