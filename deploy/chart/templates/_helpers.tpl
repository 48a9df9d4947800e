{{- define "platform.name" -}}
{{ .Release.Name | trunc 53 | trimSuffix "-" }}
{{- end }}

{{- define "platform.selector" -}}
app.kubernetes.io/name: platform-apiserver
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "platform.labels" -}}
{{ include "platform.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "platform.aggregated" -}}
{{- if not (has .Values.mode (list "standalone" "aggregated")) }}{{ fail "mode must be standalone or aggregated" }}{{ end }}
{{- if eq .Values.mode "aggregated" }}true{{ end }}
{{- end }}

{{- define "platform.settings" -}}
{{- $host := printf "%s.%s.svc" (include "platform.name" .) .Release.Namespace }}
{{- $names := concat (list $host (printf "%s.cluster.local" $host)) .Values.tlsSan }}
{{- $own := dict "dataDir" "/data" "bindAddress" "0.0.0.0" "securePort" "8443" "tlsSan" (join "," $names) }}
{{- if .Values.existingSecrets.tls }}
{{- $_ := set $own "tlsCertFile" "/etc/platform-tls/tls.crt" }}
{{- $_ := set $own "tlsPrivateKeyFile" "/etc/platform-tls/tls.key" }}
{{- end }}
{{- if include "platform.aggregated" . }}
{{- $_ := set $own "authentication" (dict "kubeconfig" "/etc/platform/core.kubeconfig") }}
{{- $_ := set $own "authorization" (dict "kubeconfig" "/etc/platform/core.kubeconfig") }}
{{- end }}
{{- mergeOverwrite $own (deepCopy .Values.settings) | toYaml }}
{{- end }}
