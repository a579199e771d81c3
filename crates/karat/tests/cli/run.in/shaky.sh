# Knows one question, and stumbles over the other.
while read -r request; do
  case $request in
    *A2*) echo 'Traceback (most recent call last):' >&2; echo 'KeyError: null' >&2; exit 3 ;;
    *) echo '{"result":{"text":"alpha","hits":[{"id":"p1"},{"id":"p2"}]}}' ;;
  esac
done
