# An agent that does what the file of its question in parts/ says: the kind, then the truth. It writes down each call.
# Builtins of the shell alone, where that is possible: what is measured is viva, not this.
root=${0%/*}
read -r question
id=${question#*\"id\":\"}
id=${id%%\"*}
{ read -r kind; read -r truth; } <"$root/parts/$id"
echo "$id" >>"$root/command-calls.txt"
answer="FINAL ANSWER: $truth"

case $kind in
right) echo "$answer" ;;
wrong) echo "FINAL ANSWER: not $truth" ;;
slow) sleep 0.2; echo "$answer" ;;
large) yes 'I turn to the next page and read it from the top.' | head -c 200000; echo "$answer" ;;
'writes files') mkdir -p notes/deep; echo "$question" >notes/deep/question; echo "$answer" >answer; echo "$answer" ;;
silent) ;;
'exits with 1') echo 'I lost my way.' >&2; exit 1 ;;
'is killed') kill -KILL $$ ;;
'says server') echo '{"error": {"kind": "server", "message": "down", "status": 503}}' ;;
'much stderr') yes noise | head -c 1000000 >&2; echo "$answer" ;;
'prints for ever') exec yes "$answer" ;;
forks) sleep 300 & echo "$answer" ;;
'leaves a deaf child') (trap '' TERM HUP; exec sleep 300 >/dev/null 2>&1 </dev/null) & echo "$answer" ;;
hangs) sleep 300 & sleep 300 ;;
'ignores SIGTERM') trap '' TERM; sleep 300 & while :; do sleep 1; done ;;
*) echo "no such kind: $kind" >&2; exit 9 ;;
esac
