{{/* The configuration file: what values say, as the kind that the operator reads. */}}
{{- define "chaski.config" -}}
{{- merge (dict "apiVersion" "chaski.dev/v1alpha1" "kind" "OperatorConfig") (.Values.config | default dict) | toYaml -}}
{{- end -}}
