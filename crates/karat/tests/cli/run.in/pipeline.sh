# Answers every question alike.
while read -r request; do
  echo '{"retrieved_ids":["p1"],"answer_json":{"claim":"alpha","citations":["p1"]}}'
done
