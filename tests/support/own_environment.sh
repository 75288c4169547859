# shellcheck shell=bash
# Sourced by scripts that run our programs: removes what own_environment.cpp removes from a test program's environment.

unset "${!DATABRICKS_@}" "${!ARM_@}" "${!AWS_@}" "${!GOOGLE_@}" "${!OPENAI_@}" "${!AI21_@}" "${!LMI_@}" "${!IS_IN_@}"
unset http_proxy https_proxy HTTPS_PROXY all_proxy ALL_PROXY no_proxy NO_PROXY DB_MODEL_SERVING_HOST_URL \
  NO_COLOR SSL_CERT_FILE INFERWIRE_API_KEY INFERWIRE_LOG SSLKEYLOGFILE
