import type { QueryParameter } from '../../../../registry/resource.ts'

const container = stringParameter(
  'container',
  'Container to use. Default: the only container of the pod.',
)
const stdin = flag('stdin', 'Redirects the standard input of the pod. Default: false.')
const tty = flag('tty', 'Allocates a terminal. Default: false.')

/**
 * Query parameters of the subresources that a pod's node serves. Source: Kubernetes API reference, PodExecOptions,
 * PodAttachOptions, PodPortForwardOptions, PodLogOptions.
 */
export const podStreamParameters: Readonly<Record<string, readonly QueryParameter[]>> = {
  exec: [
    stringParameter(
      'command',
      'Command to execute, one argument at a time. It does not run in a shell.',
    ),
    container,
    flag('stderr', 'Redirects the standard error of the command.'),
    stdin,
    flag('stdout', 'Redirects the standard output of the command.'),
    tty,
  ],
  attach: [
    container,
    flag('stderr', 'Redirects the standard error of the container. Default: true.'),
    stdin,
    flag('stdout', 'Redirects the standard output of the container. Default: true.'),
    tty,
  ],
  portforward: [whole('ports', 'Ports to forward. Needed with websockets.')],
  log: [
    container,
    flag('follow', 'Follows the log as it grows. Default: false.'),
    flag(
      'insecureSkipTLSVerifyBackend',
      'Skips the verification of the certificate that the node serves.',
    ),
    whole('limitBytes', 'Bytes to read before the answer ends.'),
    flag('previous', 'Returns the log of the previous, terminated container. Default: false.'),
    whole('sinceSeconds', 'Age in seconds of the oldest line. Excludes sinceTime.'),
    stringParameter('stream', 'Stream to return: `All`, `Stdout` or `Stderr`. Default: All.'),
    whole('tailLines', 'Number of lines from the end of the log. Default: all.'),
    flag('timestamps', 'Writes a timestamp before every line. Default: false.'),
  ],
}

function stringParameter(name: string, description: string): QueryParameter {
  return { name, type: 'string', description }
}

function flag(name: string, description: string): QueryParameter {
  return { name, type: 'boolean', description }
}

function whole(name: string, description: string): QueryParameter {
  return { name, type: 'integer', description }
}
